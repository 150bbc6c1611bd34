//! Load, lift, bind, optimise and run shaders; draws, manifests, user models.
