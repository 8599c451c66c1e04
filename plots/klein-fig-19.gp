load 'style.gp'
app = 'matmul'
@breakdown
