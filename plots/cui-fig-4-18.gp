load 'style.gp'
load 'blp.gp'
set title 'All versions, speedup over sync'
experiment = 'blp_datasets'
link = 'NVLink2'
of_async = "('conv2d', 'cui-c-148'), ('conv3d', 'cui-c-158'), ('gemm', 'cui-c-162'), ('fdtd2d', 'cui-c-170'), " \
    . "('atax', 'cui-c-177')"
of_blp = "('conv2d', 'cui-c-147'), ('conv3d', 'cui-c-157'), ('gemm', 'cui-c-163'), ('fdtd2d', 'cui-c-171'), ('atax', " \
    . "'cui-c-178')"
@all_versions
