//! What a container or a caller says of a kernel beside its instructions.

/// Bytes of local memory of an invocation where nothing says how many.
const LOCAL_BYTES: u32 = 1024;

/// A parameter of a kernel: a place in a bank of constants.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Param {
    /// Where it stands, in bytes from the start of the bank.
    pub offset: u32,
    /// Its size in bytes.
    pub size: u32,
}

/// Parameters and memory of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// The parameters by number.
    pub params: Vec<Param>,
    /// Words of tables of places that computed branches lead to, and other words beside them.
    pub tables: Vec<u32>,
    /// The bank of constants where the addresses of variables of the module stand, if it has variables.
    pub variables: Option<u16>,
    /// Bytes of memory that a workgroup shares.
    pub shared: u32,
    /// Bytes of local memory of an invocation, where that is known.
    pub local: Option<u32>,
    /// Invocations of a workgroup along x, y and z, where the program asks for a number.
    pub block: Option<[u32; 3]>,
}

impl Kernel {
    /// Bytes of local memory of an invocation.
    pub fn local_bytes(&self) -> u32 {
        self.local.unwrap_or(LOCAL_BYTES)
    }
}
