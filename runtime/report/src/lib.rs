//! Comparisons, ulp statistics, reports in HTML, CSV, JSON lines, SVG.
