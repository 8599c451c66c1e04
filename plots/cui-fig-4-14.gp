load 'style.gp'
load 'blp.gp'
experiment = 'blp_fdtd2d'
kernel = 'FDTD-2D'
thesis = best_async('NVLink2', 'cui-c-171', 'cui-c-170')
@async_heat_map
