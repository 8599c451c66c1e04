load 'style.gp'
load 'hetero.gp'
set title 'Options handed out by MPI and by coarrays, by progress'
versions = "'mpi-mt %' 'caf-mt manual' 'caf-mt thread' 'caf-mt none'"
@pricing_picture
