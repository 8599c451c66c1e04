-- What needs Cray's compiler and machines, or GASNet's network layer: neither can be had.
WITH claims(id, needs) AS (VALUES
    ('fanfarillo-c-097', 'gasnet'), ('fanfarillo-c-116', 'both'), ('fanfarillo-c-117', 'both'), ('fanfarillo-c-118', 'both'),
    ('fanfarillo-c-119', 'both'), ('fanfarillo-c-120', 'both'), ('fanfarillo-c-121', 'both'), ('fanfarillo-c-122', 'both'),
    ('fanfarillo-c-123', 'both'), ('fanfarillo-c-124', 'both'), ('fanfarillo-c-125', 'cray'), ('fanfarillo-c-126', 'both'),
    ('fanfarillo-c-127', 'both'), ('fanfarillo-c-128', 'both'), ('fanfarillo-c-129', 'both'), ('fanfarillo-c-130', 'both'),
    ('fanfarillo-c-131', 'both'), ('fanfarillo-c-132', 'cray'), ('fanfarillo-c-133', 'cray'), ('fanfarillo-c-137', 'cray'),
    ('fanfarillo-c-138', 'cray'), ('fanfarillo-c-139', 'cray'), ('fanfarillo-c-142', 'cray'), ('fanfarillo-c-145', 'both'),
    ('fanfarillo-c-146', 'both'), ('fanfarillo-c-147', 'gasnet'), ('fanfarillo-c-149', 'cray'), ('fanfarillo-c-199', 'cray'),
    ('fanfarillo-c-200', 'cray'))
SELECT id, NULL AS measured, NULL AS bound, 'waived' AS ok,
       CASE needs WHEN 'cray' THEN 'Cray''s coarray compiler cannot be had'
                  WHEN 'gasnet' THEN 'LIBCAF_GASNet on its networks (Gemini, Aries) cannot be had'
                  ELSE 'Cray''s coarray compiler, and LIBCAF_GASNet on its networks (Gemini, Aries), cannot be had' END AS reason
FROM claims;
