"""What fills a pond: how its water flows, how warm and how bright it is."""
