"""The version of calcgraph."""

VERSION = "0.1.0"
