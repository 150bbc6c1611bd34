; test run ieee
; The body has 138 ops, so that a back edge takes two units of fuel, whatever is left of it: of five, two are taken, and what is left
; is too little.
shader "t" stage(fragment) from("test") {
  attr 0 "IN[0]" generic(0) perspective center
  output 0 "OUT[0]" color(0) i32 i32 - -
  %0: i32 = attr in0.x
  %1: i32 = lit 0
  %2: i32 = lit 1
  %3: i32 = loop ^0 (%4: i32 = %1) initial(%2) {
    %5: i32 = iadd %4, %2
    out o0.x, %5
    %6: pred = ile %0, %5
    if %6 {
      break ^0 %5
    } else {
      yield
    }
    %7: i32 = iadd %5, %0
    %8: i32 = iadd %7, %0
    %9: i32 = iadd %8, %0
    %10: i32 = iadd %9, %0
    %11: i32 = iadd %10, %0
    %12: i32 = iadd %11, %0
    %13: i32 = iadd %12, %0
    %14: i32 = iadd %13, %0
    %15: i32 = iadd %14, %0
    %16: i32 = iadd %15, %0
    %17: i32 = iadd %16, %0
    %18: i32 = iadd %17, %0
    %19: i32 = iadd %18, %0
    %20: i32 = iadd %19, %0
    %21: i32 = iadd %20, %0
    %22: i32 = iadd %21, %0
    %23: i32 = iadd %22, %0
    %24: i32 = iadd %23, %0
    %25: i32 = iadd %24, %0
    %26: i32 = iadd %25, %0
    %27: i32 = iadd %26, %0
    %28: i32 = iadd %27, %0
    %29: i32 = iadd %28, %0
    %30: i32 = iadd %29, %0
    %31: i32 = iadd %30, %0
    %32: i32 = iadd %31, %0
    %33: i32 = iadd %32, %0
    %34: i32 = iadd %33, %0
    %35: i32 = iadd %34, %0
    %36: i32 = iadd %35, %0
    %37: i32 = iadd %36, %0
    %38: i32 = iadd %37, %0
    %39: i32 = iadd %38, %0
    %40: i32 = iadd %39, %0
    %41: i32 = iadd %40, %0
    %42: i32 = iadd %41, %0
    %43: i32 = iadd %42, %0
    %44: i32 = iadd %43, %0
    %45: i32 = iadd %44, %0
    %46: i32 = iadd %45, %0
    %47: i32 = iadd %46, %0
    %48: i32 = iadd %47, %0
    %49: i32 = iadd %48, %0
    %50: i32 = iadd %49, %0
    %51: i32 = iadd %50, %0
    %52: i32 = iadd %51, %0
    %53: i32 = iadd %52, %0
    %54: i32 = iadd %53, %0
    %55: i32 = iadd %54, %0
    %56: i32 = iadd %55, %0
    %57: i32 = iadd %56, %0
    %58: i32 = iadd %57, %0
    %59: i32 = iadd %58, %0
    %60: i32 = iadd %59, %0
    %61: i32 = iadd %60, %0
    %62: i32 = iadd %61, %0
    %63: i32 = iadd %62, %0
    %64: i32 = iadd %63, %0
    %65: i32 = iadd %64, %0
    %66: i32 = iadd %65, %0
    %67: i32 = iadd %66, %0
    %68: i32 = iadd %67, %0
    %69: i32 = iadd %68, %0
    %70: i32 = iadd %69, %0
    %71: i32 = iadd %70, %0
    %72: i32 = iadd %71, %0
    %73: i32 = iadd %72, %0
    %74: i32 = iadd %73, %0
    %75: i32 = iadd %74, %0
    %76: i32 = iadd %75, %0
    %77: i32 = iadd %76, %0
    %78: i32 = iadd %77, %0
    %79: i32 = iadd %78, %0
    %80: i32 = iadd %79, %0
    %81: i32 = iadd %80, %0
    %82: i32 = iadd %81, %0
    %83: i32 = iadd %82, %0
    %84: i32 = iadd %83, %0
    %85: i32 = iadd %84, %0
    %86: i32 = iadd %85, %0
    %87: i32 = iadd %86, %0
    %88: i32 = iadd %87, %0
    %89: i32 = iadd %88, %0
    %90: i32 = iadd %89, %0
    %91: i32 = iadd %90, %0
    %92: i32 = iadd %91, %0
    %93: i32 = iadd %92, %0
    %94: i32 = iadd %93, %0
    %95: i32 = iadd %94, %0
    %96: i32 = iadd %95, %0
    %97: i32 = iadd %96, %0
    %98: i32 = iadd %97, %0
    %99: i32 = iadd %98, %0
    %100: i32 = iadd %99, %0
    %101: i32 = iadd %100, %0
    %102: i32 = iadd %101, %0
    %103: i32 = iadd %102, %0
    %104: i32 = iadd %103, %0
    %105: i32 = iadd %104, %0
    %106: i32 = iadd %105, %0
    %107: i32 = iadd %106, %0
    %108: i32 = iadd %107, %0
    %109: i32 = iadd %108, %0
    %110: i32 = iadd %109, %0
    %111: i32 = iadd %110, %0
    %112: i32 = iadd %111, %0
    %113: i32 = iadd %112, %0
    %114: i32 = iadd %113, %0
    %115: i32 = iadd %114, %0
    %116: i32 = iadd %115, %0
    %117: i32 = iadd %116, %0
    %118: i32 = iadd %117, %0
    %119: i32 = iadd %118, %0
    %120: i32 = iadd %119, %0
    %121: i32 = iadd %120, %0
    %122: i32 = iadd %121, %0
    %123: i32 = iadd %122, %0
    %124: i32 = iadd %123, %0
    %125: i32 = iadd %124, %0
    %126: i32 = iadd %125, %0
    %127: i32 = iadd %126, %0
    %128: i32 = iadd %127, %0
    %129: i32 = iadd %128, %0
    %130: i32 = iadd %129, %0
    %131: i32 = iadd %130, %0
    %132: i32 = iadd %131, %0
    %133: i32 = iadd %132, %0
    %134: i32 = iadd %133, %0
    %135: i32 = iadd %134, %0
    %136: i32 = iadd %135, %0
    %137: i32 = iadd %136, %0
    %138: i32 = iadd %137, %0
    %139: i32 = iadd %138, %0
    continue ^0 %5
  }
  out o0.y, %3
  yield
}
; run: in0.x=[0x1, 0x2, 0x3, 0x4] fuel=0x5 == o0.x=[1, 2, 3, 3] o0.y=[1, 2, 3, 1] dry=[0, 0, 0, 1]
; run: in0.x=0x9 fuel=0x5 == o0.x=3 o0.y=1 dry=1
