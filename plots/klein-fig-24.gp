load 'style.gp'
app = 'stencil'
@breakdown
