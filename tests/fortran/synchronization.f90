! SYNC ALL, SYNC IMAGES and SYNC MEMORY, with and without STAT= and ERRMSG=.
program synchronization
    use testing, only: check, finish, pick
    implicit none

    integer, parameter :: rounds = 200
    integer :: step[*], box(8)[*], chain[*], code, me, images, next, previous, i, j
    character(len=40) :: message

    me = this_image()
    images = num_images()
    next = mod(me, images) + 1
    previous = mod(me + images - 2, images) + 1

    ! Nobody is ahead of, or behind, a sync all.
    message = 'unchanged'
    do i = 1, rounds
        step = i
        sync all (stat=code, errmsg=message)
        call check(code == 0 .and. message == 'unchanged', 'sync all with stat')
        call check(step[next] == i, 'sync all')
        sync all
    end do

    ! A chain: each image goes on when the one before it has come.
    chain = 0
    sync all
    do i = 1, rounds
        if (images == 1) exit
        if (me > 1) sync images (me - 1)
        chain = chain + 1
        if (me > 1) call check(chain[me - 1] >= chain, 'chain')
        if (me < images) sync images (me + 1, stat=code, errmsg=message)
        call check(code == 0 .and. message == 'unchanged', 'sync images with stat')
    end do

    ! Image 1 against all others.
    sync all
    box = 0
    sync all
    do i = 1, rounds / 4
        if (me == 1) then
            do j = 2, images
                box(j)[j] = i
            end do
            sync images (*)
            sync images (*)
        else
            sync images (1)
            call check(box(me) == i, 'sync images (*)')
            sync images (1)
        end if
    end do

    ! The neighbours on a ring, in one list; each exchanges a halo with them.
    sync all
    do i = 1, rounds
        box(1)[next] = 1000 * me + i
        box(2)[previous] = 2000 * me + i
        call ring()
        call check(box(1) == 1000 * previous + i .and. box(2) == 2000 * next + i, 'halo')
        call ring()
    end do

    ! All images in a list, this one included, and none.
    sync images ([(i, i = 1, images)])
    sync images ([integer ::])
    sync images (me)

    sync memory
    sync memory (stat=code, errmsg=message)
    call check(code == 0 .and. message == 'unchanged', 'sync memory with stat')

    sync all
    message = 'unchanged'
    sync images (images + 1, stat=code, errmsg=message)
    call check(code /= 0 .and. message /= 'unchanged', 'sync images with an image that there is not')
    message = 'unchanged'
    sync images ([me, me], stat=code, errmsg=message)
    call check(code /= 0 .and. message /= 'unchanged', 'sync images with an image twice')
    call finish()

contains

    subroutine ring()
        if (images > 2) then
            sync images ([next, previous])
        else
            sync images (next)
        end if
    end subroutine ring
end program synchronization
