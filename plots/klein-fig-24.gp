load 'style.gp'
load 'partition.gp'
app = 'stencil'
@breakdown
