load 'style.gp'
load 'partition.gp'
app = 'matmul'
@breakdown
