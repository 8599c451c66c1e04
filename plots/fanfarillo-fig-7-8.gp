load 'style.gp'
v = 'mt-cpu'
limit = 'threads'
@occupancy
