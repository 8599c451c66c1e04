load 'style.gp'
load 'coarrays.gp'
variants = 'datamotion libcaf-mpi opencoarrays element mpi'
program = 'coarrays_burgers'
condition = "optimization = 'O3'"
value = '%s / steps'
kernel = 'Burgers'
system = 'Yellowstone'
@seconds_y
set ylabel 'time per step'
@scaling_panels
