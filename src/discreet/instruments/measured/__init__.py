"""What is measured of files before and after protection: frames in, frozen measurements out."""
