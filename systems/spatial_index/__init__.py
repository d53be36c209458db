"""What is where: obstacles, bodies and food, indexed once per tick for all systems that ask."""
