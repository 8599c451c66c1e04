# The picture of klein-fig-19 for another program.
app = 'nbody'
load 'klein-fig-19.gp'
