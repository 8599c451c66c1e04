v = 'mt-cpu'
limit = 'threads'
load 'fanfarillo-fig-7-7.gp'
