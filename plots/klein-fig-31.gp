load 'style.gp'
load 'partition.gp'
app = 'nbody'
@breakdown
