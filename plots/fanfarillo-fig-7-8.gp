load 'style.gp'
load 'hetero.gp'
v = 'mt-cpu'
limit = 'threads'
@occupancy
