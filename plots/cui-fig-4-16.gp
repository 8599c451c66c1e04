load 'style.gp'
load 'blp.gp'
experiment = 'blp_atax'
kernel = 'ATAX'
thesis = best_async('NVLink2', 'cui-c-178', 'cui-c-177')
@async_heat_map
