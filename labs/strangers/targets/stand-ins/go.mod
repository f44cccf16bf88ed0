module standins

go 1.22
