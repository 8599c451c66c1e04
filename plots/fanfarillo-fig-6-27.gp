load 'style.gp'
load 'coarrays.gp'
variants = 'datamotion libcaf-mpi opencoarrays'
program = 'coarrays_burgers'
condition = "optimization = 'O0'"
value = '%s / steps'
kernel = 'Burgers, -O0'
system = 'Edison'
@seconds_y
set ylabel 'time per step'
@scaling_panels
