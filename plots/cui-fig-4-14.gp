load 'style.gp'
load 'blp.gp'
experiment = 'blp_fdtd2d'
kernel = 'FDTD-2D'
thesis = 'thesis, NVLink2: blp 1.34, best async 1.26'
@async_heat_map
