load 'style.gp'
set title 'What the copies between two launches of the stencil depend on'
kernel = 'stencil5p'
@dependency_graph
