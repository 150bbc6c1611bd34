; test parse
; Layout is free; numbers of values and labels need not be in order.
shader "one line" stage(vertex) from("") { attr 0 "a" position flat sample output 0 "b" depth - - fp32 - slot p0 = fp32.precise ; a comment
%7: p0 = attr in0.x %3: pred = fgt %7, %7 under p0 %9: fp32 = if %3 initial(%7) { yield %7 } else { %1: p0 = neg %7 yield %1 }
loop ^8 (%4: fp32 = %9) { break ^8 } out o0.z, %9 yield
}
; shader "one line" stage(vertex) from("") {
;   attr 0 "a" position flat sample
;   output 0 "b" depth - - fp32 -
;   slot p0 = fp32.precise
;   %0: p0 = attr in0.x
;   %1: pred = fgt %0, %0 under p0
;   %2: fp32 = if %1 initial(%0) {
;     yield %0
;   } else {
;     %3: p0 = neg %0
;     yield %3
;   }
;   loop ^0 (%4: fp32 = %2) {
;     break ^0
;   }
;   out o0.z, %2
;   yield
; }
