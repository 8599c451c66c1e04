# The picture of klein-fig-19 for another program.
app = 'stencil'
load 'klein-fig-19.gp'
