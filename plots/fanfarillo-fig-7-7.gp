load 'style.gp'
load 'hetero.gp'
v = 'mo-cpu'
limit = 'min(options, threads)'
@occupancy
