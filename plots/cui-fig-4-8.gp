load 'style.gp'
load 'blp.gp'
experiment = 'blp_conv2d'
kernel = '2D convolution'
thesis = 'thesis, NVLink2: blp 1.67, best async 1.77'
@async_heat_map
