load 'style.gp'
load 'blp.gp'
experiment = 'blp_conv3d'
kernel = '3D convolution'
thesis = best_async('NVLink2', 'cui-c-157', 'cui-c-158')
@async_heat_map
