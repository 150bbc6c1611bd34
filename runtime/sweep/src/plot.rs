//! The error plot: largest error per binade of the first operand, and how the errors are spread.

use crate::plan::Against;
use crate::summary::Summary;
use crate::tally::{BINADES, LOWEST_BINADE, SIGNED_BUCKETS, Tally};
use parallax_svg::Svg;

const WIDTH: f64 = 860.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 44.0;
const HEIGHT: f64 = 190.0;
/// Second panel.
const LOWER: f64 = 300.0;

const STYLE: &str = "svg{background:#fff;font:12px sans-serif}text{fill:#333}.t{font-size:14px;font-weight:600}\
    .b{fill:#7ba7d6}.g{stroke:#ddd}.a{stroke:#888}.h{stroke:#c53030;stroke-width:1.5;stroke-dasharray:4 3}\
    @media(prefers-color-scheme:dark){svg{background:#16181d}text{fill:#ccc}.g{stroke:#333}.b{fill:#3d6da3}\
    .h{stroke:#fc8181}}";

/// Draws a sweep as one self-contained SVG.
pub fn plot(summary: &Summary, tally: &Tally) -> String {
    let against = match &summary.plan.against {
        Against::Exact => "exact",
        Against::Model(model) => model,
    };
    let title = format!("{} in {}: {} against {against}", summary.plan.op, summary.plan.format, summary.plan.model);
    let mut svg = Svg::new("sweep", WIDTH as u32, 470, &title);
    svg.style(STYLE);
    svg.label("t", [WIDTH / 2.0, 20.0], &title);
    binades(&mut svg, tally);
    spread(&mut svg, tally);
    svg.finish() + "\n"
}

/// Largest error of every binade, on a logarithmic scale from 2^-6 ulp.
fn binades(svg: &mut Svg, tally: &Tally) {
    let width = WIDTH - LEFT - 20.0;
    let used: Vec<usize> = (0..BINADES)
        .filter(|&row| (0..SIGNED_BUCKETS.len()).any(|b| tally.binades[row * SIGNED_BUCKETS.len() + b] > 0))
        .collect();
    let (Some(&first), Some(&last)) = (used.first(), used.last()) else {
        svg.label("", [WIDTH / 2.0, TOP + HEIGHT / 2.0], "no result has an error in ulps");
        return;
    };
    let highest = tally.max_ulp().max(1.0).log2().ceil().max(1.0);
    let lowest = -6.0;
    let y = |ulp: f64| {
        let v = if ulp > 0.0 { ulp.log2().clamp(lowest, highest) } else { lowest };
        TOP + HEIGHT * (highest - v) / (highest - lowest)
    };
    let step = ((highest - lowest) / 8.0).ceil().max(1.0);
    let mut tick = lowest;
    while tick <= highest {
        svg.line("g", [LEFT, y(2f64.powf(tick))], [LEFT + width, y(2f64.powf(tick))]);
        svg.label("", [LEFT - 24.0, y(2f64.powf(tick)) + 4.0], &ulps(tick as i32));
        tick += step;
    }
    let bar = width / (last - first + 1) as f64;
    for &row in &used {
        let max = f64::from_bits(tally.binade_max[row]);
        let x = LEFT + bar * (row - first) as f64;
        let exponent = row as i32 + LOWEST_BINADE;
        svg.rect(
            "b",
            [x, y(max), (bar * 0.85).max(0.8), TOP + HEIGHT - y(max)],
            &format!("2^{exponent}: {max:.4} ulp"),
        );
        if bar >= 40.0 {
            svg.label("", [x + bar * 0.425, (y(max) + 16.0).min(TOP + HEIGHT - 4.0)], &format!("{max:.3}"));
        }
    }
    svg.line("h", [LEFT, y(0.5)], [LEFT + width, y(0.5)]);
    for part in 0..=4 {
        let row = first + (last - first) * part / 4;
        // Under the middle of the bar, which leaves a gap at its right.
        let x = LEFT + bar * ((row - first) as f64 + 0.425);
        svg.label("", [x, TOP + HEIGHT + 18.0], &power(row as i32 + LOWEST_BINADE));
    }
    svg.line("a", [LEFT, TOP + HEIGHT], [LEFT + width, TOP + HEIGHT]);
    svg.label(
        "",
        [WIDTH / 2.0, TOP + HEIGHT + 36.0],
        "largest error (ulp) by binade of the first operand; dashed: half an ulp",
    );
}

/// 2 to a power, with raised digits.
fn power(exponent: i32) -> String {
    let raised = |c: char| match c {
        '-' => '\u{207b}',
        '1' => '\u{b9}',
        '2' => '\u{b2}',
        '3' => '\u{b3}',
        c => char::from_u32(0x2070 + u32::from(c) - u32::from('0')).unwrap_or(c),
    };
    format!("2{}", exponent.to_string().chars().map(raised).collect::<String>())
}

/// A power of two as a mark of an axis of errors.
fn ulps(exponent: i32) -> String {
    match exponent {
        0..=12 => (1u32 << exponent).to_string(),
        -12..0 => format!("1/{}", 1u32 << -exponent),
        _ => power(exponent),
    }
}

/// What stands at the left end of each bar of the lower panel.
const BORDERS: [&str; SIGNED_BUCKETS.len()] =
    ["", "-8", "-4", "-2", "-1", "-1/2", "-1/4", "exact", "", "1/4", "1/2", "1", "2", "4", "8"];

/// Share of errors in each signed bucket.
fn spread(svg: &mut Svg, tally: &Tally) {
    let width = WIDTH - LEFT - 20.0;
    let mut counts = [0u64; SIGNED_BUCKETS.len()];
    for (n, count) in tally.binades.iter().enumerate() {
        counts[n % SIGNED_BUCKETS.len()] += count;
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let bar = width / counts.len() as f64;
    let height = 120.0;
    for (n, &count) in counts.iter().enumerate() {
        let share = count as f64 / tally.measured.max(1) as f64;
        let tall = height * count as f64 / most;
        let x = LEFT + bar * n as f64;
        svg.rect("b", [x + 3.0, LOWER + height - tall, bar - 6.0, tall], &format!("{}: {count}", SIGNED_BUCKETS[n]));
        if count > 0 {
            let percent = if share < 5e-5 { "<0.01 %".to_string() } else { format!("{:.2} %", share * 100.0) };
            svg.label("", [x + bar / 2.0, LOWER + height - tall - 4.0], &percent);
        }
        match BORDERS[n] {
            "exact" => svg.label("", [x + bar / 2.0, LOWER + height + 18.0], "exact"),
            "" => {}
            border => {
                svg.line("a", [x, LOWER + height], [x, LOWER + height + 5.0]);
                svg.label("", [x, LOWER + height + 18.0], border);
            }
        }
    }
    svg.line("a", [LEFT, LOWER + height], [LEFT + width, LOWER + height]);
    svg.label("", [WIDTH / 2.0, LOWER + height + 36.0], "signed error (ulp), share of inputs with finite results");
}
