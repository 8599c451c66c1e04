load 'style.gp'
set label 4 '4 x 4 x 4 blocks on 4 devices, cut along one or two dimensions' at screen 0.5, 0.965 center
dimensions = 'x y z xy xz yz'
@grid_cubes
