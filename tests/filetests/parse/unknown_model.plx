; test parse
; A model nobody knows.
shader "b" stage(fragment) from("t") {
  bind "nv99"
  yield
}
; error[ir-model] 4:8: unknown model `nv99`
