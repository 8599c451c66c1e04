load 'style.gp'
load 'coarrays.gp'
variants = 'datamotion libcaf-mpi opencoarrays mpi'
program = 'coarrays_burgers'
condition = "optimization = 'O3'"
value = '%s / steps'
kernel = 'Burgers, -O3'
system = 'Edison'
@seconds_y
set ylabel 'time per step'
@scaling_panels
