"""Local suppression and global recoding of microdata: keys left blank with proof, values capped, merged and cut."""
