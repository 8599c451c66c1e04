load 'style.gp'
load 'blp.gp'
experiment = 'blp_conv2d'
kernel = '2D convolution'
thesis = best_async('NVLink2', 'cui-c-147', 'cui-c-148')
@async_heat_map
