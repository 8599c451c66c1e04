load 'style.gp'
app = 'nbody'
@breakdown
