//! THORAMAR behind the kernel's contract of a game.
