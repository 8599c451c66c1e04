load 'style.gp'
load 'coarrays.gp'
variants = 'datamotion libcaf-mpi opencoarrays element mpi'
program = 'coarrays_transpose'
condition = 'true'
value = '%s'
kernel = 'Transpose'
system = 'Yellowstone'
@seconds_y
set ylabel 'time of a transpose'
@scaling_panels
