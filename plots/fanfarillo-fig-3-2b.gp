side = 'gpu'
name = 'GPU (thesis: hlg first, csr last)'
load 'fanfarillo-fig-3-2a.gp'
