load 'style.gp'
load 'blp.gp'
experiment = 'blp_atax'
kernel = 'ATAX'
thesis = 'thesis, NVLink2: blp 1.21, best async 1.14'
@async_heat_map
