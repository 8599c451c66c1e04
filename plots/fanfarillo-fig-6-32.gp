load 'style.gp'
load 'coarrays.gp'
variants = 'datamotion libcaf-mpi opencoarrays mpi'
program = 'coarrays_transpose'
condition = 'true'
value = '%s'
kernel = 'Transpose'
system = 'Hopper'
@seconds_y
set ylabel 'time of a transpose'
@scaling_panels
