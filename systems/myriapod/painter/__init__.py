"""How myriapods are drawn: trunks, legs and antennae as primitives."""
