load 'style.gp'
load 'blp.gp'
experiment = 'blp_conv3d'
kernel = '3D convolution'
thesis = 'thesis, NVLink2: blp 1.95, best async 2.05'
@async_heat_map
