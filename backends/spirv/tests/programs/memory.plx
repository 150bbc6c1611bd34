shader "memory" stage(compute) from("test") {
  workgroup 4 2 1
  buffer 0 "in"
  buffer 1 "out"
  buffer 2 "counts"
  buffer 3 "shared" workgroup(21)
  %0: i32 = sys local_x
  %1: i32 = sys local_y
  %2: i32 = sys local_z
  %3: i32 = sys group_x
  %4: i32 = sys group_y
  %5: i32 = sys group_z
  %6: i32 = sys grid_x
  %7: i32 = sys grid_y
  %8: i32 = sys grid_z
  %9: i32 = lit 1
  %10: i32 = lit 2
  %11: i32 = lit 3
  %12: i32 = lit 4
  %13: i32 = lit 84
  %14: i32 = imul %1, %12
  %15: i32 = iadd %14, %0
  %16: i32 = imul %5, %7
  %17: i32 = iadd %16, %4
  %18: i32 = imul %17, %6
  %19: i32 = iadd %18, %3
  %20: i32 = lit 8
  %21: i32 = imul %19, %20
  %22: i32 = iadd %21, %15
  %23: i32 = shl %22, %10
  %24: i32 = buffer.load b0[%23]
  %25: i32 = iadd %23, %11
  %26: i32 = buffer.load.byte b0[%25]
  %27: i32 = lit 4000000000
  %28: i32 = buffer.load b0[%27]
  %29: i32 = shl %15, %10
  %30: i32 = buffer.load b3[%29]
  buffer.store b3[%29], %24
  barrier
  %31: i32 = lit 7
  %32: i32 = ixor %15, %31
  %33: i32 = shl %32, %10
  %34: i32 = buffer.load b3[%33]
  barrier
  %35: i32 = lit 32
  %36: i32 = atomic.add b3[%35], %24
  %37: i32 = lit 36
  %38: i32 = atomic.min_u b3[%37], %24
  %39: i32 = lit 40
  %40: i32 = atomic.max_u b3[%39], %24
  %41: i32 = lit 44
  %42: i32 = atomic.min_i b3[%41], %24
  %43: i32 = lit 48
  %44: i32 = atomic.max_i b3[%43], %24
  %45: i32 = lit 52
  %46: i32 = atomic.and b3[%45], %24
  %47: i32 = lit 56
  %48: i32 = atomic.or b3[%47], %24
  %49: i32 = lit 60
  %50: i32 = atomic.xor b3[%49], %24
  %51: i32 = lit 84
  %52: i32 = atomic.add b3[%51], %24
  barrier
  %53: i32 = iadd %34, %30
  %54: i32 = lit 32
  %55: i32 = buffer.load b3[%54]
  %56: i32 = imul %53, %11
  %57: i32 = iadd %56, %55
  %58: i32 = lit 36
  %59: i32 = buffer.load b3[%58]
  %60: i32 = imul %57, %11
  %61: i32 = iadd %60, %59
  %62: i32 = lit 40
  %63: i32 = buffer.load b3[%62]
  %64: i32 = imul %61, %11
  %65: i32 = iadd %64, %63
  %66: i32 = lit 44
  %67: i32 = buffer.load b3[%66]
  %68: i32 = imul %65, %11
  %69: i32 = iadd %68, %67
  %70: i32 = lit 48
  %71: i32 = buffer.load b3[%70]
  %72: i32 = imul %69, %11
  %73: i32 = iadd %72, %71
  %74: i32 = lit 52
  %75: i32 = buffer.load b3[%74]
  %76: i32 = imul %73, %11
  %77: i32 = iadd %76, %75
  %78: i32 = lit 56
  %79: i32 = buffer.load b3[%78]
  %80: i32 = imul %77, %11
  %81: i32 = iadd %80, %79
  %82: i32 = lit 60
  %83: i32 = buffer.load b3[%82]
  %84: i32 = imul %81, %11
  %85: i32 = iadd %84, %83
  %86: i32 = buffer.size b1
  %87: i32 = iadd %85, %86
  %88: i32 = buffer.size b3
  %89: i32 = iadd %87, %88
  %90: i32 = iadd %89, %28
  %91: i32 = ixor %90, %26
  buffer.store b1[%23], %91
  %92: i32 = lit 0
  %93: i32 = atomic.add b2[%92], %24
  %94: i32 = lit 4
  %95: i32 = atomic.min_u b2[%94], %24
  %96: i32 = lit 8
  %97: i32 = atomic.max_u b2[%96], %24
  %98: i32 = lit 12
  %99: i32 = atomic.min_i b2[%98], %24
  %100: i32 = lit 16
  %101: i32 = atomic.max_i b2[%100], %24
  %102: i32 = lit 20
  %103: i32 = atomic.and b2[%102], %24
  %104: i32 = lit 24
  %105: i32 = atomic.or b2[%104], %24
  %106: i32 = lit 28
  %107: i32 = atomic.xor b2[%106], %24
  %108: i32 = shl %22, %9
  %109: i32 = iadd %108, %20
  %110: i32 = shl %109, %10
  %111: i32 = atomic.exchange b2[%110], %24
  %112: i32 = iadd %110, %12
  %113: i32 = atomic.cmpxchg b2[%110], %24, %111
  %114: i32 = lit 16776960
  %115: i32 = buffer.insert b2[%112], %113, %114
  %116: i32 = atomic.cmpxchg b2[%110], %24, %115
  %117: i32 = atomic.add b2[%27], %24
  %118: i32 = iadd %117, %116
  %119: i32 = atomic.add b2[%112], %118
  %120: i32 = lit 5
  %121: i32 = atomic.inc_wrap b2[%112], %24
  %122: i32 = atomic.dec_wrap b2[%112], %111
  %123: i32 = ixor %121, %122
  %124: i32 = atomic.add b2[%110], %123
  %125: i32 = atomic.inc_wrap b3[%51], %120
  barrier
  %126: i32 = lit 80
  %127: i32 = atomic.inc_wrap b3[%126], %120
  %128: i32 = lit 80
  %129: i32 = atomic.inc_wrap b3[%128], %120
  %130: i32 = lit 80
  %131: i32 = atomic.inc_wrap b3[%130], %120
  %132: i32 = lit 76
  %133: i32 = atomic.dec_wrap b3[%132], %120
  barrier
  %134: i32 = lit 80
  %135: i32 = buffer.load b3[%134]
  %136: i32 = lit 76
  %137: i32 = buffer.load b3[%136]
  %138: i32 = iadd %135, %137
  %139: i32 = atomic.add b2[%112], %138
  yield
}
