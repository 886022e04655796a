"""HTTP: the resources, how a route is written down, and the words of bodies, answers and problems."""
