; test canonicalise
; An output that the same lanes write again is dead, unless lanes may leave between.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  attr 1 "IN[1]" generic(1) linear center
  bank 0 "CONST[0]" len(4)
  output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: pred = fgt %0, %1 under p0
  out o0.x, %0
  if %2 {
    out o0.y, %0
    yield
  } else {
    yield
  }
  out o0.x, %1
  block ^0 {
    out o0.z, %0
    if %2 {
      break ^0
    } else {
      yield
    }
    out o0.z, %1
    yield
  }
  out o0.w, %0
  out o0.w, %1
  yield
}
; shader "t" stage(fragment) from("test") {
;   attr 0 "IN[0]" generic(0) perspective center
;   attr 1 "IN[1]" generic(1) linear center
;   bank 0 "CONST[0]" len(4)
;   output 0 "OUT[0]" color(0) fp32 fp32 fp32 fp32
;   slot p0 = fp32
;   %0: p0 = attr in0.x
;   %1: p0 = attr in0.y
;   %2: pred = fgt %0, %1 under p0
;   if %2 {
;     out o0.y, %0
;     yield
;   } else {
;     yield
;   }
;   out o0.x, %1
;   block ^0 {
;     out o0.z, %0
;     if %2 {
;       break ^0
;     } else {
;       yield
;     }
;     out o0.z, %1
;     yield
;   }
;   out o0.w, %1
;   yield
; }
