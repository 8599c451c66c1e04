load 'style.gp'
v = 'mo-cpu'
limit = 'min(options, threads)'
@occupancy
