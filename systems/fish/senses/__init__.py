"""What fishes see, smell and feel of the water around them."""
