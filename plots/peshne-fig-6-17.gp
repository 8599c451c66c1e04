experiment = 'rdma_put'; call = 'PUT of a block to'
name = 'time of a PUT, until it is acknowledged'
load 'peshne-fig-6-16.gp'
