load 'style.gp'
load 'partition.gp'
set multiplot layout 2, 2 margins 0.1, 0.97, 0.12, 0.9 spacing 0.06, 0.15
columns = 2
panels = '16/16/16/even 20/10/16/even 16/16/16/thesis 20/10/16/thesis'
@grid_panels
